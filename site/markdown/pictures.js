const PICTURE = /<picture>([\s\S]*?)<\/picture>/g;
const DARK = /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/;
const LIGHT = /<img alt="([^"]*)" src="([^"]+)">/;

/**
 * Shows pictures in two color schemes by the scheme of the site, which readers can change, instead of the browser's.
 * @param markdown an instance of markdown-it
 */
export function schemePictures(markdown) {
  markdown.core.ruler.push('scheme_pictures', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'html_block')
        token.content = token.content.replaceAll(PICTURE, (_, inside) => pair(inside));
    }
  });
}

/** Returns an image for each scheme. Only the visible one is loaded and read out. */
function pair(inside) {
  const [, dark] = DARK.exec(inside);
  const [, text, light] = LIGHT.exec(inside);
  return ['light', 'dark']
    .map((scheme) => {
      const file = scheme === 'dark' ? dark : light;
      return `<img class="only-${scheme}" loading="lazy" alt="${text}" src="./${file}">`;
    })
    .join('\n');
}

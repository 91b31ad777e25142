/**
 * Renders `mermaid` blocks by the component `MermaidDiagram`.
 * @param markdown an instance of markdown-it
 */
export function mermaidDiagrams(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...others) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...others);
    return `<MermaidDiagram code="${encodeURIComponent(content)}" />`;
  };
}

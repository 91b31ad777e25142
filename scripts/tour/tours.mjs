/**
 * The pages, and where on them the tour is; the ports their samples use, each in exchange for a free one; the folder
 * that they make where they are taken.
 */
export const README_TOUR = { file: 'README.md', section: 'A five-minute tour', ports: [3097] };
export const QUICK_START = { file: 'docs/quick-start.md', ports: [3097, 3000], leaves: 'my-app' };

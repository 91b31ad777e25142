/** The quick start: its page, its ports, each replaced by a free one, and the folder that it creates and leaves behind. */
export const QUICK_START = { file: 'docs/quick-start.md', ports: [3097, 3000], leaves: 'my-app' };

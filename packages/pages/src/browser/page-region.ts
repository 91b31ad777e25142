const { lang } = document.documentElement;

/**
 * The language tag by which pages format dates and times: the first of the browser in the language of the page, since en-GB and
 * en-US differ, else that language.
 */
export const PAGE_REGION: string = navigator.languages.find((tag) => tag.split('-')[0] === lang) ?? lang;

/** The language of the texts. Names that the browser knows are in the same language. */
export const language = 'en';

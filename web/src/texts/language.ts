/** What the texts are written in: names that the browser knows are asked for in the same language. */
export const language = 'en';

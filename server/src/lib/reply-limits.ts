/** What is read of a provider's reply. Routers list hundreds of models with descriptions. */
export const replyLimits = {
  /** An answer goes into one cell of a spreadsheet; a larger one is a mistake or an attack. */
  answerBytes: 1024 * 1024,
  listBytes: 2 * 1024 * 1024,
  /** 50,000 keys take 45 ms to parse, 500,000 half a second. */
  values: 50_000,
} as const;

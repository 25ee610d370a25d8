/** How long a client may take, in milliseconds. */
export const requestTimes = {
  headers: 30_000,
  body: 120_000,
  /** For a large file over a slow connection. */
  upload: 15 * 60_000,
  /** After a refusal, for a client that is still sending: closing at once would lose the answer. */
  linger: 5_000,
} as const;

/** The largest request body, uploads apart. */
export const jsonBytes = 256 * 1024;
/** Of all its lists and objects together. The schemas look at every value, and a list of wrong ones costs most. */
export const jsonValues = 25_000;

/** Of the form around an uploaded file; the file itself is limited by the settings. */
export const uploadForm = {
  fields: 40,
  fieldBytes: 16 * 1024,
  metadataKeys: 32,
  metadataBytes: 8 * 1024,
  fileNameCharacters: 200,
} as const;

/** How long a client may take, in milliseconds. */
export const requestTimes = {
  headers: 30_000,
  body: 120_000,
  /** For a large file over a slow connection. */
  upload: 15 * 60_000,
  /** Without reading a byte of an answer that has begun. */
  unread: 15 * 60_000,
  /** After a refusal, for a client that is still sending: closing at once would lose the answer. */
  linger: 5_000,
};

/** Of one process. */
export const mostConnections = { total: 10_000, ofNetwork: 2_000 };

/**
 * For files and unknown addresses, of one network in each process. A first visit, like a new
 * version, loads all 80 files of the site, so sixty people in an office wait for nothing.
 */
export const filePace = { perSecond: 500, atOnce: 5_000, longestWaitSeconds: 10 } as const;

/** Requests that wait on one connection. Browsers and proxies send one at a time. */
export const mostPipelined = 4;

/** The largest request body, uploads apart. */
export const jsonBytes = 256 * 1024;
/** The most values in all lists and objects of a body. Checking wrong ones costs most. */
export const jsonValues = 25_000;

/** Limits of the form around an uploaded file; settings limit the file itself. */
export const uploadForm = {
  fields: 40,
  fieldBytes: 16 * 1024,
  metadataKeys: 32,
  metadataBytes: 8 * 1024,
  fileNameCharacters: 200,
} as const;

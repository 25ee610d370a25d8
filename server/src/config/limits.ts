/** The largest request body, uploads apart. */
export const jsonBytes = 256 * 1024;

/** Of the form around an uploaded file; the file itself is limited by the settings. */
export const uploadForm = {
  fields: 40,
  fieldBytes: 16 * 1024,
  metadataKeys: 32,
  metadataBytes: 8 * 1024,
  fileNameCharacters: 200,
} as const;

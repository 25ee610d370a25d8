// Requests
export const noSuchCall = 'No call has this address. The list of calls is at /openapi.json.';
export const required = 'Please fill this in.';
export const unknownField = 'Unknown field. Check the spelling or remove it.';
export const notInQuery = 'Not a query parameter of this call. Send it in the body, or remove it.';
export const mustBeObject = 'Must be an object.';
export const sendJsonUncompressed = 'Please send the JSON as it is, not compressed.';
export const sendAsUtf8 = 'The request is not encoded as UTF-8. Encode it and send it again.';
export const requestIncomplete = 'The request was interrupted. Please send it again.';

// Uploads
export const chooseFile = 'Please choose a file.';
export const sendAsForm = 'Please send the file as multipart/form-data.';
export const sendUncompressed = 'Please send the file as it is, not compressed.';
export const sendUnencoded = 'Please send the file as it is, without a transfer encoding.';
export const wrongField = 'Send the file in the field “file”.';
export const oneFile = 'Please send one file at a time.';
export const badFieldName = 'One of the field names cannot be used.';
export const badJsonField = 'A field marked as JSON is not valid JSON.';
export const uploadIncomplete = 'The upload was interrupted or is malformed. Please send it again.';
export const tooManyFields = (most: number) => `At most ${most} fields can come with a file.`;
export const tooManyKeys = (most: number) => `At most ${most} other keys.`;
export const keysTooLarge = (kib: number) => `At most ${kib} KiB of other keys, not deeply nested.`;
export const keysUnreadable = 'Contains characters that cannot be stored.';
export const fileTooLarge = (megabytes: number) =>
  `The file is larger than ${megabytes} MB. Split it and upload the parts.`;

// The outbox page
export const outbox = 'Outbox';
export const outboxIntro =
  'No mail server is configured, so emails wait here instead of being sent. Reload the page to see new ones.';
export const backToSite = 'Back to the site';
export const outboxEmpty =
  'No emails yet. Register or ask for a new password, and the email appears here.';
export const storeRefuses =
  'Files cannot be stored or read right now, because a setting of this installation is wrong. Please contact support.';

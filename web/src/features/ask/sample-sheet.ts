import * as texts from '../../texts/ask.ts';

/** A small sheet for those who only want to look. */
export function sampleFile(): [file: Blob, name: string] {
  return [new Blob([texts.sampleRows], { type: 'text/csv' }), texts.sampleName];
}

import { type Batch, downloadChatGptResponse, downloadUploadedCsv } from '@rowmill/contract';
import { callForResponse } from '../../../lib/api/api-client.ts';
import { saveFile } from '../../../lib/save-file.ts';
import * as texts from '../../../texts/batches.ts';

export const resultFormats = {
  csv: { label: texts.resultFormats.csv, extension: 'csv', request: { format: 'csv' } },
  excel: {
    label: texts.resultFormats.excel,
    extension: 'csv',
    request: { format: 'csv', bom: true },
  },
  xlsx: { label: texts.resultFormats.xlsx, extension: 'xlsx', request: { format: 'xlsx' } },
  jsonl: { label: texts.resultFormats.jsonl, extension: 'jsonl', request: { format: 'jsonl' } },
} as const;
export type ResultFormat = keyof typeof resultFormats;

export function downloadResults(batch: Batch, format: ResultFormat): Promise<void> {
  const { extension, request } = resultFormats[format];
  return download({
    name: texts.resultsFileName({ name: batch.name.replace(/\.\w{1,5}$/, ''), extension }),
    rows: batch.rows,
    open: () => callForResponse(downloadChatGptResponse, { file: batch.id, ...request }),
  });
}

export function downloadOriginal(batch: Batch): Promise<void> {
  return download({
    name: batch.name,
    rows: batch.rows,
    open: () => callForResponse(downloadUploadedCsv, { id: batch.sheet_id }),
  });
}

interface Wanted {
  name: string;
  rows: number;
  open(): Promise<Response>;
}

/** From here on a file goes straight to the disk where the browser can do that, instead of through memory. */
const manyRows = 20_000;

type Picker = (options: {
  suggestedName: string;
}) => Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;

async function download({ name, rows, open }: Wanted): Promise<void> {
  const picker = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker;
  if (picker && rows >= manyRows) return stream(() => picker({ suggestedName: name }), open);
  const response = await open();
  saveFile(fileNameIn(response.headers.get('content-disposition')) ?? name, await response.blob());
}

/** The place is asked for first: the browser allows that only as the direct consequence of a press. */
async function stream(pick: () => ReturnType<Picker>, open: Wanted['open']): Promise<void> {
  try {
    const place = await pick();
    const { body } = await open();
    await body?.pipeTo(await place.createWritable());
  } catch (error) {
    // The person closed the browser's own dialog.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}

/** The name that the server gives a file, in the encoded form where there is one. */
export function fileNameIn(disposition: string | null): string | null {
  const [, encoded] = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(disposition ?? '') ?? [];
  const [, quoted, bare] =
    /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? '') ?? [];
  return decoded(encoded) ?? quoted?.replace(/\\(.)/g, '$1') ?? bare ?? null;
}

function decoded(text: string | undefined): string | null {
  try {
    return text ? decodeURIComponent(text.trim()) : null;
  } catch {
    return null;
  }
}

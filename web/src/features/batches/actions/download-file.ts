import { type Batch, downloadChatGptResponse, downloadUploadedCsv } from '@rowmill/contract';
import { callForResponse } from '../../../lib/api/api-client.ts';
import { saveFile } from '../../../lib/save-file.ts';
import * as texts from '../../../texts/batches/batch.ts';

/** What is asked of the server; the format is also the extension of the file. */
export const resultFormats = {
  xlsx: { format: 'xlsx' },
  csv: { format: 'csv' },
  excel: { format: 'csv', bom: true },
  unchanged: { format: 'csv', unchanged: true },
  jsonl: { format: 'jsonl' },
} as const;
export type ResultFormat = keyof typeof resultFormats;

/** Columns that a result file has only if they are asked for. */
export const extraColumns = ['marks', 'judgements', 'tokens'] as const;
export type ExtraColumn = (typeof extraColumns)[number];

export function downloadResults(
  batch: Batch,
  format: ResultFormat,
  extra: readonly ExtraColumn[] = [],
): Promise<void> {
  const request = resultFormats[format];
  return download({
    name: resultsName(batch.name, format),
    rows: batch.rows,
    fetch: () =>
      callForResponse(downloadChatGptResponse, {
        file: batch.id,
        ...request,
        ...Object.fromEntries(extra.map((column) => [column, true])),
      }),
  });
}

/** Of sheets. What else ends the name of a batch belongs to it. */
const ownExtension = /\.(?:xlsx|xlsm|jsonl|ndjson|csv|tsv|tab|txt)$/i;

/** The name that a picker suggests. */
export function resultsName(name: string, format: ResultFormat): string {
  const own = ownExtension.exec(name)?.[0] ?? '';
  const extension = `.${resultFormats[format].format}`;
  return texts.resultsFileName({
    name: name.slice(0, name.length - own.length),
    extension: format === 'unchanged' ? own || extension : extension,
  });
}

export function downloadOriginal(batch: Batch): Promise<void> {
  return download({
    name: batch.name,
    rows: batch.rows,
    fetch: () => callForResponse(downloadUploadedCsv, { id: batch.sheet_id }),
  });
}

interface Download {
  name: string;
  rows: number;
  fetch(): Promise<Response>;
}

/** From this size on, a file is streamed to the disk if the browser can. */
const streamedRows = 20_000;

type FilePicker = (options: {
  suggestedName: string;
}) => Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;

async function download(wanted: Download): Promise<void> {
  const picker = (window as { showSaveFilePicker?: FilePicker }).showSaveFilePicker;
  if (picker && wanted.rows >= streamedRows) await streamToFile(picker, wanted);
  else await saveWhole(wanted);
}

async function saveWhole({ name, fetch }: Download): Promise<void> {
  const response = await fetch();
  const served = parseFileName(response.headers.get('content-disposition'));
  saveFile(served ?? name, await response.blob());
}

/** The file is picked before the fetch: browsers allow a picker only right after a click. */
async function streamToFile(picker: FilePicker, wanted: Download): Promise<void> {
  try {
    const file = await picker({ suggestedName: wanted.name });
    const { body } = await wanted.fetch();
    await body?.pipeTo(await file.createWritable());
  } catch (error) {
    const reason = error instanceof DOMException ? error.name : null;
    // One click allows one picker: the other files of several are saved without.
    if (reason === 'SecurityError') await saveWhole(wanted);
    // An AbortError means that the person closed the picker.
    else if (reason !== 'AbortError') throw error;
  }
}

/** The file name in a Content-Disposition header; the encoded form is preferred. */
export function parseFileName(header: string | null): string | null {
  const [, encoded] = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(header ?? '') ?? [];
  const [, quoted, bare] =
    /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '') ?? [];
  return decode(encoded) ?? quoted?.replace(/\\(.)/g, '$1') ?? bare ?? null;
}

function decode(text: string | undefined): string | null {
  try {
    return text ? decodeURIComponent(text.trim()) : null;
  } catch {
    return null;
  }
}

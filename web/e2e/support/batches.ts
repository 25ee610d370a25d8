import { expect, type Page } from '@playwright/test';
import type { BatchState } from '@rowmill/contract';

interface NewBatch {
  name: string;
  text: string;
  question: string;
  outputs?: readonly object[];
  model?: string;
  /** How many batches of the sheet. */
  times?: number;
  /** Tries this many rows instead of starting it. */
  preview?: number;
}

/** Asks for each row of `sheetOf` and `quickSheet`. */
export const question = 'Describe {{topic}} {{mark}}';
export const sheetOf = (rows: readonly string[]) =>
  ['code,topic,mark', ...rows].join('\r\n').concat('\r\n');
/** One row for each mark, which tells the demo model what to do. */
export const quickSheet = (marks: readonly string[]) =>
  sheetOf(marks.map((mark, index) => `00${index},"topic ${index}, large",${mark}`));

/** Waits for the state badge of a batch, on its page or in a list. */
export async function expectState(page: Page, state: BatchState): Promise<void> {
  await expect(page.locator(`[data-batch-state="${state}"]`).first()).toBeVisible();
}

/**
 * Uploads a sheet and starts batches by calls from the signed-in browser. Returns the id of the
 * last. The tests of a file share a person, who may upload ten files a minute: a refused upload
 * waits for as long as the server says.
 */
export async function startBatch(page: Page, batch: NewBatch): Promise<string> {
  return page.evaluate(async ({ name, text, question, outputs, model, times = 1, preview }) => {
    const authorization = `Bearer ${JSON.parse(localStorage.getItem('userToken') ?? '""')}`;
    const post = async (path: string, body: FormData | string) => {
      const type: Record<string, string> =
        typeof body === 'string' ? { 'content-type': 'application/json' } : {};
      const send = () =>
        fetch(`/api/emedia/${path}`, { method: 'POST', headers: { authorization, ...type }, body });
      let response = await send();
      while (response.status === 429 && response.headers.has('retry-after')) {
        const seconds = Number(response.headers.get('retry-after'));
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
        response = await send();
      }
      const answer = await response.json();
      if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return answer;
    };
    const upload = new FormData();
    upload.append('file', new File([text], name, { type: 'text/csv' }));
    const { file } = await post('saveFile', upload);
    const query = { file: file.id, outputs, model, ...(preview ? { preview } : { start: true }) };
    const start = JSON.stringify({
      question,
      questionWithVariable: question,
      query,
      switchedAs: null,
    });
    let id = '';
    for (let count = 0; count < times; count++)
      id = (await post('askChatGpt', start)).batch?.id ?? '';
    return id;
  }, batch);
}

/** Starts a batch and opens its page once it is completed. Returns its id. */
export async function openCompleted(page: Page, batch: NewBatch): Promise<string> {
  const id = await startBatch(page, batch);
  await page.goto(`/history/${id}`);
  await expectState(page, 'completed');
  return id;
}

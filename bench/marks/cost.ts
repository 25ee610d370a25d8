import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  AnswerMarker,
  type MarkedBatch,
} from '../../server/src/domains/batches/marks/answer-marker.ts';
import type { Material } from './material.ts';

const mebibyte = 2 ** 20;
/** Before this many answers the code is not compiled. */
const warmUp = 50_000;

/**
 * Marks different answers of two to four sentences, in a batch for each language at the same time.
 */
export function costOf(material: Material, answers: number): string {
  const batches = Object.keys(material.sentences).map((language): MarkedBatch => {
    const fixedParts = (material.prompts[language] ?? '').split('{{Name}}');
    return { batchId: language, model: 'm', fixedParts, outputs: [] };
  });
  const marker = new AnswerMarker();
  const mark = (row: number) => {
    const batch = batches[row % batches.length] as MarkedBatch;
    const answer = answerOf(material.sentences[batch.batchId] ?? [], row);
    marker.mark(batch, { row, answer, prompt: () => batch.fixedParts.join(`Name ${row}`) });
  };
  let characters = 0;
  const make = (row: number) => {
    const { batchId } = batches[row % batches.length] as MarkedBatch;
    characters += answerOf(material.sentences[batchId] ?? [], row).length;
  };
  microsecondsOf(mark, 0, warmUp);
  const before = heapInUse();
  const marked = microsecondsOf(mark, warmUp, answers);
  const after = heapInUse();
  const made = microsecondsOf(make, warmUp, answers);
  const cost = ((marked - made) / answers).toFixed(1);
  const length = (characters / answers).toFixed(0);
  const count = answers.toLocaleString('en-GB');
  return `cost: ${cost} µs of CPU an answer of ${length} characters on average, in ${batches.length} batches at once; heap ${before} MiB after ${warmUp.toLocaleString('en-GB')} answers, ${after} MiB after ${count} more`;
}

function microsecondsOf(act: (row: number) => void, first: number, times: number): number {
  const start = process.cpuUsage();
  for (let row = first; row < first + times; row++) act(row);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** No two rows have the same sentences and figure. */
function answerOf(sentences: readonly string[], row: number): string {
  const random = Math.imul(row + 1, 0x9e3779b1) >>> 0;
  const picked = Array.from(
    { length: 2 + (random % 3) },
    (_, at) => sentences[(random >>> (4 + at * 7)) % sentences.length],
  );
  return `${picked.join(' ')} ${row}.`;
}

function heapInUse(): string {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return (process.memoryUsage().heapUsed / mebibyte).toFixed(1);
}

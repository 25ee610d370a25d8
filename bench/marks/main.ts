import { parseArgs } from 'node:util';
import { type AnswerMark, answerMarks, marksIn } from '@rowmill/contract';
import { AnswerMarker } from '../../server/src/domains/batches/marks/answer-marker.ts';
import { costOf } from './cost.ts';
import { type LabelledBatch, labelledSet } from './labelled-set.ts';
import { second } from './second-material.ts';
import { third } from './third-material.ts';
import { tuning } from './tuning-material.ts';

const { values } = parseArgs({ options: { verbose: { type: 'boolean', default: false } } });
const isVerbose = values.verbose;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

score('tuned with', [...labelledSet(tuning, 1), ...labelledSet(second, 2)]);
score('not seen while tuning', labelledSet(third, 3));
say(costOf(second, 1_000_000));

/** Marks every answer as the product does and compares with the labels. */
function score(name: string, batches: readonly LabelledBatch[]): void {
  const found = new Map<AnswerMark, { right: number; all: number }>();
  let good = 0;
  let wrong = 0;
  for (const { batch, answers } of batches) {
    const marks = markAll(batch, answers);
    for (const { row, answer, label, prompt } of answers) {
      const given = marks.get(row) ?? [];
      const isRight = label === null ? given.length === 0 : given.includes(label);
      if (label === null) good++;
      if (label === null && !isRight) wrong++;
      const count = label && (found.get(label) ?? { right: 0, all: 0 });
      if (label && count)
        found.set(label, { right: count.right + Number(isRight), all: count.all + 1 });
      if (!isRight && isVerbose)
        say(
          `  ${label ?? 'good'} → ${given.join(', ') || 'none'}: ${prompt.slice(0, 60)} | ${answer.slice(0, 160)}`,
        );
    }
  }
  const counts = [...found.values()];
  const all = counts.reduce((sum, count) => sum + count.all, 0);
  const right = counts.reduce((sum, count) => sum + count.right, 0);
  say(
    `${name}: ${good + all} answers, recall ${(right / all).toFixed(3)}, false marks ${((wrong * 100) / good).toFixed(2)}% of ${good} good answers`,
  );
  for (const mark of answerMarks) {
    const count = found.get(mark);
    if (count) say(`  ${mark.padEnd(17)} ${count.right} of ${count.all}`);
  }
}

function markAll(batch: LabelledBatch['batch'], answers: LabelledBatch['answers']) {
  const marker = new AnswerMarker();
  const given = new Map<number, AnswerMark[]>();
  for (const { row, prompt, answer } of answers) {
    const { marks, earlier } = marker.mark(batch, { row, answer, prompt: () => prompt });
    given.set(row, marksIn(marks));
    for (const { mark, rows } of earlier) for (const one of rows) given.get(one)?.push(mark);
  }
  return given;
}

import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  AnswerJournal,
  type JournalledCorrection,
  type JournalledResult,
} from './answer-journal.ts';

const log = pino({ level: 'silent' });
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rowmill-journal-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = () => AnswerJournal.take(directory, log) as AnswerJournal;
const pathOf = (name: 'one' | 'two') => join(directory, 'journal/1', `${name}.jsonl`);
const entry = (row: number, answer = `Answer ${row}`): JournalledResult => ({
  batchId: 'b1',
  lease: { id: 'job', retryCount: 0 },
  result: { row, state: 'answered', answer, problem: null },
});
const rowsOf = (journal: AnswerJournal) =>
  journal.read().map((entry) => ('result' in entry ? entry.result.row : entry.row));

it('has the answers of a turn of the event loop before the next one, readable by the owner only', async () => {
  using journal = open();
  journal.add(entry(0));
  journal.add(entry(1, 'line\nbreak'));
  await setImmediate();
  expect(journal.read()).toEqual([entry(0), entry(1, 'line\nbreak')]);
  expect(statSync(pathOf('one')).mode & 0o777).toBe(0o600);
});

it('holds what a transaction left, and no text of what it stored', async () => {
  using journal = open();
  for (const row of [0, 1, 2]) journal.add(entry(row));
  await setImmediate();
  journal.keepOnly([entry(2)]);
  expect(rowsOf(journal)).toEqual([2]);
  journal.add(entry(3));
  await setImmediate();
  journal.keepOnly([]);
  expect(readFileSync(pathOf('one'), 'utf8') + readFileSync(pathOf('two'), 'utf8')).toBe('');
});

it('holds a first answer that could not be used until the row has a result', async () => {
  using journal = open();
  const { batchId, lease } = entry(0);
  const correction = { answer: 'Hm.', problem: 'No JSON.' };
  const first: JournalledCorrection = { batchId, lease, row: 0, correction, subject: 'm' };
  journal.add(first);
  await setImmediate();
  expect(journal.read()).toEqual([first]);
  journal.add(entry(0));
  await setImmediate();
  expect(journal.read()).toEqual([entry(0)]);
});

it('leaves out a line that a kill cut off', async () => {
  using journal = open();
  journal.add(entry(0));
  await setImmediate();
  appendFileSync(pathOf('one'), '{"batchId":"b1","lea');
  expect(rowsOf(journal)).toEqual([0]);
});

it('belongs to one process, and to the others once that process has ended', async () => {
  const first = open();
  using second = open();
  first.add(entry(7));
  await setImmediate();
  expect([...AnswerJournal.takeAbandoned(directory, log)]).toEqual([]);
  first[Symbol.dispose]();
  const [abandoned] = AnswerJournal.takeAbandoned(directory, log);
  expect(abandoned && rowsOf(abandoned)).toEqual([7]);
  abandoned?.[Symbol.dispose]();
  expect(rowsOf(second)).toEqual([]);
});

it('stops growing at 64 MB and continues after the next transaction', async () => {
  using journal = open();
  const long = 'x'.repeat(10 * 1024 * 1024);
  for (let row = 0; row < 9; row++) {
    journal.add(entry(row, long));
    await setImmediate();
  }
  expect(rowsOf(journal)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  journal.keepOnly([entry(8)]);
  expect(rowsOf(journal)).toEqual([8]);
});

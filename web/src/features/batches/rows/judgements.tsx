import {
  asColumn,
  type Batch,
  type Judgement,
  judgeAnswers,
  judgements,
  maximumNote,
  type Output,
  outputNames,
  splitAnswer,
} from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { Check, Clock, type LucideIcon, X } from 'lucide-react';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { Button, isRepeated } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Row } from '../api.ts';
import { whileSaving } from '../judged-elsewhere.ts';
import { correctionDrafts } from './correction-drafts.ts';
import styles from './marks.module.css';
import { showJudged, useSaveJudgement, useUnsavedJudgements } from './save-judgements.tsx';

const icons: Record<Judgement, LucideIcon> = { right: Check, wrong: X, later: Clock };

/** One key each, in the grid and in the panel of a row, also with Caps Lock. */
const keys: Record<string, Judgement> = { r: 'right', w: 'wrong', l: 'later' };
export const judgementOfKey = (key: string): Judgement | undefined =>
  Object.hasOwn(keys, key.toLowerCase()) ? keys[key.toLowerCase()] : undefined;

/** Judges one row. A second press on the same judgement removes it. */
export function useJudge(id: string) {
  const { mutate } = useSaveJudgement(id);
  return useCallback(
    ({ row, judgement: before }: Row, pressed: Judgement) =>
      mutate({ id, rows: [row], judgement: before === pressed ? null : pressed }),
    [id, mutate],
  );
}

/** A small sign beside the state of a row. */
export function JudgementSign({ judgement }: Pick<Row, 'judgement'>) {
  if (!judgement) return null;
  const Icon = icons[judgement];
  return (
    <span className={styles.judgement} data-judgement={judgement}>
      <Icon aria-hidden size={14} />
      <span className="sr-only">{rowTexts.judgementNames[judgement]}</span>
    </span>
  );
}

/** Judges, corrects and notes the answer of a row. */
export function RowJudgement({ batch, row }: { batch: Batch; row: Row }) {
  const judge = useJudge(batch.id);
  const [undone, setUndone] = useState(0);
  const buttons = useRef<HTMLDivElement>(null);
  const unsaved = useUnsavedJudgements(batch.id).find(({ judged }) => judged.rows[0] === row.row);
  /** The pressed button disappears, so another one gets the focus. */
  function onUndone() {
    setUndone(undone + 1);
    buttons.current?.querySelector('button')?.focus();
  }
  return (
    <div className={styles.judging}>
      <div ref={buttons} className={styles.judgeButtons}>
        {judgements.map((name) => (
          <JudgeButton
            key={name}
            name={name}
            isPressed={row.judgement === name}
            onPress={() => judge(row, name)}
          />
        ))}
      </div>
      <ErrorNote error={unsaved?.error} />
      {row.correction !== null && <UndoCorrection batch={batch} row={row} onUndone={onUndone} />}
      <Correction key={`${row.row} ${undone}`} batch={batch} row={row} />
    </div>
  );
}

const draftOf = (batch: Batch, row: Row) => `${batch.id} ${row.row}`;

function Correction({ batch, row }: { batch: Batch; row: Row }) {
  const draftId = draftOf(batch, row);
  const draft = correctionDrafts.get(draftId);
  const names = namesOf(batch);
  const { given, setGiven, version, now } = useGiven(batch, row, draft !== undefined);
  const form = useForm(async (values, send) => {
    const correction = names.map((_, index) => values[`correction.${index}`] ?? '');
    const isUnchanged = correction.every((text, index) => text === (given.texts[index] ?? ''));
    const saving = send(judgeAnswers, {
      id: batch.id,
      rows: [row.row],
      // Another tab may have added a note since. An unchanged one is not sent, so that it stays.
      ...(values.note === given.note ? {} : { note: values.note }),
      ...(isUnchanged ? {} : { correction }),
    });
    const saved = await whileSaving(batch.id, saving);
    setGiven({ texts: correction, note: values.note ?? '' });
    correctionDrafts.delete(draftId);
    showJudged(batch.id, saved);
    return saved.message;
  });
  function onInput(event: FormEvent<HTMLFormElement>) {
    form.onInput(event);
    const { name, value } = event.target as HTMLInputElement;
    correctionDrafts.set(draftId, { ...correctionDrafts.get(draftId), [name]: value });
  }
  return (
    <Disclosure title={rowTexts.correctAndNote} startsOpen={draft !== undefined}>
      <Form form={{ ...form, onInput }}>
        {replacesOther(draft, { given, now }) && (
          <Notice tone="warning">{rowTexts.changedElsewhere}</Notice>
        )}
        {names.map((name, index) => (
          <CorrectionField
            key={`${name} ${version}`}
            label={name}
            name={`correction.${index}`}
            output={batch.outputs[index]}
            defaultValue={draft?.[`correction.${index}`] ?? given.texts[index] ?? ''}
            problem={form.problems[`correction.${index}`]}
          />
        ))}
        <TextArea
          key={version}
          label={rowTexts.note}
          name="note"
          rows={2}
          maxLength={maximumNote}
          defaultValue={draft?.note ?? given.note}
        />
        <div>
          <Button type="submit">{rowTexts.save}</Button>
        </div>
      </Form>
    </Disclosure>
  );
}

interface Given {
  texts: string[];
  note: string;
}

/**
 * What the fields show until something is entered. Another tab may change the row: then they are
 * made again (`version`), unless there is a draft, of which only what was entered is sent.
 */
function useGiven(batch: Batch, row: Row, isDraft: boolean) {
  const now = { texts: textsOf(batch, row), note: row.note ?? '' };
  const [{ given, last, version }, set] = useState({ given: now, last: now, version: 0 });
  if (!isEqual(now, last)) {
    const isKept = isDraft || isEqual(now, given);
    set({ given: isKept ? given : now, last: now, version: isKept ? version : version + 1 });
  }
  const setGiven = (given: Given) => set((before) => ({ ...before, given }));
  return { given, setGiven, version, now };
}

const isEqual = (some: Given, other: Given) =>
  some.note === other.note && haveEqualTexts(some, other);

const haveEqualTexts = (some: Given, other: Given) =>
  some.texts.every((text, index) => text === other.texts[index]);

/** Whether saving the draft would replace what another tab or person has saved since. */
function replacesOther(draft = {}, { given, now }: { given: Given; now: Given }): boolean {
  return Object.keys(draft).some((name) =>
    name === 'note' ? given.note !== now.note : !haveEqualTexts(given, now),
  );
}

interface CorrectionProps {
  label: string;
  name: string;
  /** Absent where the answer is not split into columns. */
  output: Output | undefined;
  defaultValue: string;
  problem: string | undefined;
}

/** Columns of few values get a choice, other short ones a single line. */
function CorrectionField({ output, ...field }: CorrectionProps) {
  const { type, options = [], may_be_empty } = asColumn(output ?? '');
  if (type === 'text') return <TextArea {...field} rows={2} />;
  if (type !== 'choice' && type !== 'boolean') return <TextField {...field} />;
  const values = type === 'choice' ? options : ['Yes', 'No'];
  const all = new Set([...values, ...(may_be_empty ? [''] : []), field.defaultValue]);
  return <ChoiceField {...field} choices={[...all].map((value) => [value, value])} />;
}

interface JudgeProps {
  name: Judgement;
  isPressed: boolean;
  onPress: () => void;
}

function JudgeButton({ name, isPressed, onPress }: JudgeProps) {
  const { label, key } = rowTexts.judgeAs[name];
  const Icon = icons[name];
  return (
    <Button
      variant="secondary"
      aria-keyshortcuts={key}
      aria-pressed={isPressed}
      onClick={(event) => isRepeated(event) || onPress()}
    >
      <Icon aria-hidden size={16} />
      {label}
      <kbd>{key}</kbd>
    </Button>
  );
}

interface UndoProps {
  batch: Batch;
  row: Row;
  onUndone: () => void;
}

/** Shows the answer of the model again. A note that is not saved yet stays. */
function UndoCorrection({ batch, row, onUndone }: UndoProps) {
  const draftId = draftOf(batch, row);
  const undo = useMutation({
    mutationFn: () =>
      whileSaving(
        batch.id,
        call(judgeAnswers, { id: batch.id, rows: [row.row], correction: null }),
      ),
    onSuccess: (saved) => {
      const note = correctionDrafts.get(draftId)?.note;
      if (note === undefined) correctionDrafts.delete(draftId);
      else correctionDrafts.set(draftId, { note });
      showJudged(batch.id, saved);
      onUndone();
    },
  });
  return (
    <div>
      <Button variant="secondary" busy={undo.isPending} onClick={() => undo.mutate()}>
        {rowTexts.undoCorrection}
      </Button>
      <ErrorNote error={undo.error} />
    </div>
  );
}

const namesOf = ({ outputs }: Batch) =>
  outputs.length > 0 ? outputNames(outputs) : [texts.answer];

/** The current values of the answer columns, with the line ends that a form gives back. */
export function textsOf(
  { outputs }: Pick<Batch, 'outputs'>,
  row: Pick<Row, 'answer' | 'correction'>,
): string[] {
  const answer = row.correction ?? row.answer ?? '';
  return splitAnswer(answer, outputs).map((text) => text.replaceAll(/\r\n?/g, '\n'));
}

import {
  type AnswerOf,
  type Batch,
  cellsOf,
  getRows,
  type Judgement,
  judgeAnswers,
  judgements,
  outputNames,
} from '@rowmill/contract';
import { Check, Clock, type LucideIcon, X } from 'lucide-react';
import { useCallback } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { queriesOf, queryClient } from '../../../lib/api/query.ts';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/batches.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import type { Row } from '../api.ts';
import { applyEvent } from '../live-progress.ts';
import styles from './marks.module.css';

const icons: Record<Judgement, LucideIcon> = { right: Check, wrong: X, later: Clock };

/** One key each, in the grid and in the panel of a row. */
const keys: Record<string, Judgement> = { r: 'right', w: 'wrong', l: 'later' };
export const judgementOfKey = (key: string): Judgement | undefined =>
  Object.hasOwn(keys, key) ? keys[key] : undefined;

/** Judges one row. A second press on the same judgement takes it back. */
export function useJudge(id: string) {
  return useCallback(
    async ({ row, judgement: before }: Row, pressed: Judgement) => {
      const judgement = before === pressed ? null : pressed;
      try {
        showJudged(id, await call(judgeAnswers, { id, rows: [row], judgement }));
      } catch (error) {
        showToast('error', errorMessage(error));
      }
    },
    [id],
  );
}

/** Rows change in place: a filtered list does not lose the row that was just judged. */
function showJudged(id: string, { rows, batch }: AnswerOf<typeof judgeAnswers>): void {
  const judged = new Map(rows.map((row) => [row.row, row]));
  queryClient.setQueriesData<AnswerOf<typeof getRows>>(
    queriesOf(getRows, { id }),
    (page) =>
      page && { ...page, rows: page.rows.map((row) => ({ ...row, ...judged.get(row.row) })) },
  );
  applyEvent({ kind: 'batch', batch });
}

/** A small sign beside the state of a row. */
export function JudgementSign({ judgement }: Pick<Row, 'judgement'>) {
  if (!judgement) return null;
  const Icon = icons[judgement];
  return (
    <span className={styles.judgement} data-judgement={judgement}>
      <Icon aria-hidden size={14} />
      <span className="sr-only">{texts.judgementNames[judgement]}</span>
    </span>
  );
}

interface FilterProps {
  judged: Batch['judged'];
  filter: Judgement | null;
  onFilter: (filter: Judgement | null) => void;
}

/** How many answers are judged so. Each count is a filter, and pressing it again shows all rows. */
export function JudgementFilters({ judged, filter, onFilter }: FilterProps) {
  const shown = judgements.filter((name) => judged[name] > 0 || name === filter);
  if (shown.length === 0) return null;
  return (
    <fieldset className={`${styles.filters} ${styles.judged}`}>
      <legend className="sr-only">{texts.judgement}</legend>
      {shown.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.filter}
          aria-pressed={name === filter}
          onClick={() => onFilter(name === filter ? null : name)}
        >
          {texts.judgedRows({
            judgement: texts.judgementNames[name],
            rows: formatNumber(judged[name]),
          })}
        </button>
      ))}
    </fieldset>
  );
}

/** Judges, corrects and notes the answer of a row. */
export function RowJudgement({ batch, row }: { batch: Batch; row: Row }) {
  const judge = useJudge(batch.id);
  const names = namesOf(batch);
  const given = textsOf(batch, row);
  const form = useForm(async (values, send) => {
    const correction = names.map((_, index) => values[`correction.${index}`] ?? '');
    const isUnchanged = JSON.stringify(correction) === JSON.stringify(given);
    const saved = await send(judgeAnswers, {
      id: batch.id,
      rows: [row.row],
      note: values.note ?? '',
      ...(isUnchanged ? {} : { correction }),
    });
    showJudged(batch.id, saved);
    showToast('success', saved.message);
  });
  return (
    <div className={styles.judging}>
      <div className={styles.judgeButtons}>
        {judgements.map((name) => (
          <IconButton
            key={name}
            label={texts.judgeAs[name]}
            icon={icons[name]}
            isPressed={row.judgement === name}
            onPress={() => void judge(row, name)}
          />
        ))}
      </div>
      <details key={row.row}>
        <summary>{texts.correctAndNote}</summary>
        <Form form={form}>
          {names.map((name, index) => (
            <TextArea
              key={name}
              label={name}
              name={`correction.${index}`}
              rows={2}
              defaultValue={given[index] ?? ''}
              problem={form.problems[`correction.${index}`]}
            />
          ))}
          <TextArea
            label={texts.note}
            name="note"
            rows={2}
            maxLength={2_000}
            defaultValue={row.note ?? ''}
          />
          <div>
            <Button type="submit">{texts.save}</Button>
          </div>
        </Form>
      </details>
    </div>
  );
}

const namesOf = ({ outputs }: Batch) =>
  outputs.length > 0 ? outputNames(outputs) : [texts.answer];

/** What stands in the answer columns now. */
function textsOf({ outputs }: Batch, row: Row): string[] {
  const answer = row.correction ?? row.answer ?? '';
  return cellsOf(answer, outputs)?.map(({ text }) => text) ?? [answer];
}

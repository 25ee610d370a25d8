import { compileTemplate, getModels, halfPrice, type Price, type Sheet } from '@rowmill/contract';
import { useMemo, useState } from 'react';
import { usePrice } from '../../../entities/prompt/model-select.tsx';
import { invalidate } from '../../../lib/api/query.ts';
import type { AskRequest } from '../api.ts';
import type { Quote } from '../confirm/quote.ts';
import { usePaidRequest } from '../use-paid-request.ts';

/** What a preview has for a row. */
export interface Tried {
  answer: string | null;
  problem: string | null;
}

interface PreviewOptions {
  request: AskRequest | null;
  /** The quote of this request, once it is there. */
  quote: Quote | undefined;
  model: string;
}

/** What fills in the prompts of a request. */
interface Filling {
  sheet: Pick<Sheet, 'columns'> | undefined;
  variables: Readonly<Record<string, string>> | null;
}

/**
 * Answers to a few rows before the start. Earlier ones come with the quote, also after a reload.
 */
export function usePreview({ request, quote, model, ...filling }: PreviewOptions & Filling) {
  const price = usePrice(model);
  const kept = quote?.previewed;
  // A first answer in columns may have shown what the model makes of their form.
  const { mutate, isPending, error, data, variables } = usePaidRequest({
    onAnswer: () => void invalidate(getModels),
  });
  const subject = subjectOf(request, filling);
  const [triedSubject, setTriedSubject] = useState('');
  const isOutdated = variables !== undefined && subject !== triedSubject;
  const answers = isOutdated ? undefined : data?.answers;
  const tried = useMemo(() => {
    const tried = new Map<number, Tried>();
    for (const { row, answer } of kept ?? []) tried.set(row, { answer, problem: null });
    for (const { row, answer, problem } of answers ?? []) tried.set(row, { answer, problem });
    return tried;
  }, [kept, answers]);
  const wanted = isPending ? variables?.query : undefined;
  const pending = useMemo(
    () => new Set(wanted?.rows ?? Array.from({ length: wanted?.preview ?? 0 }, (_, row) => row)),
    [wanted],
  );
  return {
    tried,
    /** The rows whose answers are on their way. */
    pending,
    isPending,
    isOutdated: isOutdated && data !== undefined,
    error: isOutdated ? null : error,
    /** The answers of the last preview. */
    answers,
    try: (rows: readonly number[]) => {
      if (!request) return;
      const { query, ...rest } = previewRequest(request, rows);
      const agreed = agreedForRows(rows.length, { request, quote, price });
      setTriedSubject(subject);
      mutate({ ...rest, query: { ...query, max_submissions: agreed } });
    },
  };
}

export type Preview = ReturnType<typeof usePreview>;

/** Without row numbers the server previews the first rows that are not blank. */
function previewRequest(request: AskRequest, rows: readonly number[]): AskRequest {
  const query = { ...request.query, preview: rows.length };
  const areFirst = rows.every((row, index) => row === index);
  return { ...request, query: areFirst ? query : { ...query, rows: [...rows] } };
}

/**
 * The most that rows to try may cost, by the quote, or by the list of models until it is there.
 * Undefined while nothing on the page says it.
 */
export function agreedForRows(
  count: number,
  { request, quote, price }: Omit<PreviewOptions, 'model'> & { price: Price | undefined },
): number | undefined {
  if (quote) return count * quote.per_tried_row;
  if (!price || price.size) return undefined;
  const half = request?.query?.finish_by ? halfPrice(price) : null;
  return count * (half ?? price).submissions;
}

interface Choice {
  /** How many rows the sheet has, and how many of the first are wanted. */
  rows: number;
  limit: number | undefined;
  /** The first rows that run, if not the whole sheet does. */
  selected: readonly number[] | null;
  /** The row that the person wants to see. */
  chosen: number | null;
}

/** The row to show, how many there are, and which to try next of those that run. */
export function shownRow({ rows: all, limit = all, selected, chosen }: Choice) {
  const rows = selected ? all : Math.min(all, limit);
  const index = Math.max(0, Math.min(chosen ?? selected?.[0] ?? 0, rows - 1));
  const every = Array.from(
    { length: Math.min(maximumPreview, rows - index) },
    (_, at) => index + at,
  );
  const after = selected?.filter((row) => row >= index) ?? every;
  const upcoming = selected && after.length === 0 ? selected : after;
  return { rows, index, upcoming: upcoming.slice(0, maximumPreview) };
}

export const maximumPreview = 5;

/** What the answers to a request depend on, without the choice of rows. */
export function subjectOf(request: AskRequest | null, { sheet, variables }: Filling): string {
  const { preview, rows, limit, max_submissions, ...options } = request?.query ?? {};
  const template = request?.questionWithVariable ?? '';
  const { fixedParts } = compileTemplate(template, {
    columns: sheet?.columns ?? [],
    variables: variables ?? {},
  });
  return JSON.stringify([template, fixedParts, options]);
}

/** A few rows from anywhere in the sheet, each once. */
export function randomRows(count: number, rows: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, rows)) chosen.add(Math.floor(Math.random() * rows));
  return [...chosen].sort((one, other) => one - other);
}

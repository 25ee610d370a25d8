import type { AnswerOf, Endpoint, RequestOf } from '@rowmill/contract';
import { type FormEvent, useState } from 'react';
import { call } from '../api/api-client.ts';
import { errorMessage, Refusal, refusalCode } from '../api/refusal.ts';
import { showToast } from '../toasts.ts';
import { useIdempotencyKey } from './use-idempotency-key.ts';

export type Values = Record<string, string>;
/** Checks a request by the contract and makes the call. */
export type Send = <E extends Endpoint>(endpoint: E, request: RequestOf<E>) => Promise<AnswerOf<E>>;

interface Options {
  /** Clears the form after success, so that a second click does nothing. */
  isClearedAfterwards?: boolean;
  /** These are fetched again. Also after a refusal, which may be due to what they show. */
  changes?: readonly Endpoint[];
}

const untouched = { problems: {} as Values, error: null as unknown, busy: false, isChanged: false };

/**
 * A form that owns its draft. `submit` gets the fields, with the name and value of the pressed
 * button, and `send`. `send` checks a request by the contract, makes the call once however often it
 * is repeated, and leaves the problems beside the fields. The text that `submit` returns is shown
 * as a short message.
 */
export function useForm(
  submit: (values: Values, send: Send) => Promise<string | null | undefined>,
  { isClearedAfterwards = false, changes = [] }: Options = {},
) {
  const [{ problems, error, busy, isChanged }, setState] = useState(untouched);
  const once = useIdempotencyKey();
  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const values = Object.fromEntries(new FormData(form, submitter)) as Values;
    const send: Send = (endpoint, request) => {
      const found = problemsIn(endpoint, request, fieldNames(form));
      if (Object.keys(found).length > 0) throw new InvalidFields(found);
      return once(request, (idempotencyKey) => call(endpoint, request, { idempotencyKey }));
    };
    setState((state) => ({ ...untouched, busy: true, isChanged: state.isChanged }));
    try {
      const done = await submit(values, send);
      if (done) showToast('success', done);
      if (isClearedAfterwards) form.reset();
      setState(untouched);
    } catch (failure) {
      const found = failureOf(failure, fieldNames(form));
      // A reason beside its field is not said twice.
      const isBeside = failure instanceof Refusal && found.error === null;
      if (!(failure instanceof InvalidFields))
        showToast('error', isBeside ? failure.message : errorMessage(failure));
      setState((state) => ({ ...state, ...found, busy: false }));
      focusFirst(form, found.problems);
    } finally {
      if (changes.length > 0) void fetchAgain(changes);
    }
  }
  /** Changing a field removes its problem. Once saved, the form counts as unchanged. */
  function onInput({ target }: FormEvent<HTMLFormElement>): void {
    const { name } = target as Partial<HTMLInputElement>;
    setState((state) => ({ ...state, ...withoutProblem(state, name ?? ''), isChanged: true }));
  }
  return {
    onSubmit,
    onInput,
    problems,
    error: error === null ? null : errorMessage(error),
    code: refusalCode(error),
    busy,
    isChanged,
  };
}

/** The sign-in page has forms and no queries, so it does not load them. */
async function fetchAgain(endpoints: readonly Endpoint[]): Promise<void> {
  const { invalidate } = await import('../api/query.ts');
  for (const endpoint of endpoints) void invalidate(endpoint);
}

/** The error above the fields goes with the last of their problems. */
export function withoutProblem<Error>(
  state: { problems: Values; error: Error | null },
  name: string,
) {
  const list = listOf(name);
  const { [name]: own, [list]: ofList, ...problems } = state.problems;
  if (own === undefined && ofList === undefined) return state;
  return { problems, error: Object.keys(problems).length > 0 ? state.error : null };
}

/** What a page itself finds wrong with its fields. Nothing has been sent. */
export class InvalidFields extends Error {
  readonly fields: Values;

  constructor(fields: Values, message = '') {
    super(message);
    this.fields = fields;
  }
}

function failureOf(failure: unknown, names: ReadonlySet<string>) {
  if (failure instanceof InvalidFields)
    return { problems: failure.fields, error: failure.message ? failure : null };
  const fields = failure instanceof Refusal ? Object.entries(failure.fields) : [];
  return errorBesideFields(problemsByField(fields, names), names, failure);
}

/** An error that stands beside the fields is not repeated above them. */
export function errorBesideFields<Error>(
  problems: Values,
  names: ReadonlySet<string>,
  error: Error,
) {
  const found = Object.keys(problems);
  const isBeside = found.length > 0 && found.every((name) => names.has(name));
  return { problems, error: isBeside ? null : error };
}

/** Parts of the request that the form has no field for are left to the server. */
function problemsIn(endpoint: Endpoint, request: unknown, names: ReadonlySet<string>): Values {
  const parsed = endpoint.request.safeParse(request);
  const issues = parsed.success ? [] : parsed.error.issues;
  const found = problemsByField(
    issues.map(({ path, message }) => [path.join('.'), message]),
    names,
  );
  return Object.fromEntries(Object.entries(found).filter(([name]) => names.has(name)));
}

/** A problem with an item is shown at the field of its list, the first one only. */
export function problemsByField(
  found: [path: string, message: string][],
  names: ReadonlySet<string>,
): Values {
  return Object.fromEntries(
    found.toReversed().map(([path, message]) => [names.has(path) ? path : listOf(path), message]),
  );
}

/** A named fieldset shows the problem of its list. */
function fieldNames(form: HTMLFormElement): ReadonlySet<string> {
  const lists = form.querySelectorAll<HTMLFieldSetElement>('fieldset[name]');
  return new Set([...fieldsOf(form), ...lists].map(({ name }) => name));
}

function focusFirst(form: HTMLFormElement, problems: Values): void {
  const isWrong = ({ name }: HTMLInputElement) => name in problems || listOf(name) in problems;
  const first = [...fieldsOf(form)].find(isWrong);
  // In a closed section it cannot be seen, and takes no focus.
  first?.closest('details')?.setAttribute('open', '');
  first?.focus();
}

const listOf = (name: string) => name.split('.')[0] ?? '';

function fieldsOf(form: HTMLFormElement): NodeListOf<HTMLInputElement> {
  return form.querySelectorAll('input, select, textarea');
}

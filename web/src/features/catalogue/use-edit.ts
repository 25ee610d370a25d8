import type { Endpoint, RequestOf } from '@rowmill/contract';
import { type FormEvent, useState } from 'react';
import { call } from '../../lib/api/api-client.ts';
import { errorMessage, Refusal, refusalCode } from '../../lib/api/refusal.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/catalogue.ts';
import { invalidatePrices } from './api.ts';

type Values = Record<string, string>;

interface Edit<E extends Endpoint> {
  endpoint: E;
  /** The request that the values of the form say. */
  read(values: Values): RequestOf<E>;
  onSaved(): void;
}

/** A form whose values become a request: held against the contract as that, with what is wrong beside the fields. */
export function useEdit<E extends Endpoint>({ endpoint, read, onSaved }: Edit<E>) {
  const [problems, setProblems] = useState<Values>({});
  const [error, setError] = useState<string | null>(null);
  const [isOutdated, setOutdated] = useState(false);
  const [busy, setBusy] = useState(false);
  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const request = read(Object.fromEntries(new FormData(form)) as Values);
    const found = problemsIn(endpoint, request);
    setProblems(found);
    setError(null);
    if (Object.keys(found).length > 0) return focusFirst(form, found);
    setBusy(true);
    try {
      const { message } = await call(endpoint, request);
      showToast('success', message ?? texts.saved);
      invalidatePrices();
      onSaved();
    } catch (failure) {
      const fields = failure instanceof Refusal ? byField(Object.entries(failure.fields)) : {};
      setProblems(fields);
      setError(errorMessage(failure));
      setOutdated(refusalCode(failure) === 'not_now');
      focusFirst(form, fields);
    } finally {
      setBusy(false);
    }
  }
  return { onSubmit, problems, error, isOutdated, busy };
}

function problemsIn(endpoint: Endpoint, request: unknown): Values {
  const parsed = endpoint.request.safeParse(request);
  return parsed.success
    ? {}
    : byField(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
}

/** What is wrong with one of a list stands beside the field of the list; of several things the first. */
function byField(wrong: [path: string, message: string][]): Values {
  return Object.fromEntries(
    wrong.reverse().map(([path, message]) => [path.split('.')[0] ?? '', message]),
  );
}

function focusFirst(form: HTMLFormElement, problems: Values): void {
  const fields = form.querySelectorAll<HTMLInputElement>('input, select, textarea');
  [...fields].find(({ name }) => name in problems)?.focus();
}

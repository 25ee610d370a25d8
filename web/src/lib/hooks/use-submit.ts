import type { Endpoint } from '@rowmill/contract';
import { type FormEvent, useState } from 'react';
import { errorMessage, Refusal } from '../api/refusal.ts';

type Values = Record<string, string>;

interface Submission {
  /** The call whose rules the fields are held against before anything is sent; extra values are the caller's. */
  endpoint: Endpoint;
  send(values: Values): Promise<void>;
}

/** A form that owns its draft: checks it by the contract, sends it once, and puts what is wrong beside the fields. */
export function useSubmit({ endpoint, send }: Submission) {
  const [problems, setProblems] = useState<Values>({});
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const values = Object.fromEntries(new FormData(form)) as Values;
    const found = problemsIn(endpoint, values);
    setProblems(found);
    setError(null);
    if (Object.keys(found).length > 0) return focusFirst(form, found);
    setBusy(true);
    try {
      await send(values);
    } catch (failure) {
      const fields = failure instanceof Refusal ? failure.fields : {};
      setProblems(fields);
      setError(errorMessage(failure));
      focusFirst(form, fields);
    } finally {
      setBusy(false);
    }
  }
  return { onSubmit, problems, error, busy };
}

function problemsIn(endpoint: Endpoint, values: Values): Values {
  const parsed = endpoint.request.safeParse(values);
  const issues = parsed.success ? [] : parsed.error.issues;
  // What the form does not ask for is added by the caller, so only its own fields are judged.
  return Object.fromEntries(
    issues
      .filter(({ path }) => String(path[0]) in values)
      .map(({ path, message }) => [String(path[0]), message]),
  );
}

function focusFirst(form: HTMLFormElement, problems: Values): void {
  const [first] = [...form.querySelectorAll<HTMLInputElement>('input, select')].filter(
    (field) => field.name in problems,
  );
  first?.focus();
}

import type { Endpoint } from '@rowmill/contract';
import { refuse } from '../core/refusal.ts';

type Issue = { path: PropertyKey[]; message: string; code?: string };

/** Parses a request once, at the door. What is wrong is named field by field, all at once. */
export function parseRequest(endpoint: Endpoint, request: unknown): Record<string, unknown> {
  const parsed = endpoint.request.safeParse(request);
  if (parsed.success) return parsed.data as Record<string, unknown>;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues as Issue[]) {
    fields[issue.path.map(String).join('.') || 'request'] ??= wordsFor(issue, request);
  }
  refuse('invalid_input', { fields });
}

function wordsFor(issue: Issue, request: unknown): string {
  const isMissing =
    issue.code?.startsWith('invalid_') && valueAt(request, issue.path) === undefined;
  return isMissing ? 'Please fill this in.' : issue.message;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

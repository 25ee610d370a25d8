import type { Endpoint } from '@rowmill/contract';
import { refuse } from '../core/refusal.ts';
import { required } from '../texts/http.ts';

type Issue = { path: PropertyKey[]; message: string; code?: string };

/** Parses a request with the contract's schema. A refusal names every wrong field at once. */
export function parseRequest(endpoint: Endpoint, request: unknown): Record<string, unknown> {
  const parsed = endpoint.request.safeParse(request);
  if (parsed.success) return parsed.data as Record<string, unknown>;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues as Issue[]) {
    fields[issue.path.map(String).join('.') || 'request'] ??= messageOf(issue, request);
  }
  refuse('invalid_input', { fields });
}

function messageOf(issue: Issue, request: unknown): string {
  const isMissing =
    issue.code?.startsWith('invalid_') && valueAt(request, issue.path) === undefined;
  return isMissing ? required : issue.message;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

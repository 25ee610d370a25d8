import { useCallback } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';
import { parseWholeNumber } from '../typed-numbers.ts';

/** Reads one parameter of the address; an invalid one counts as absent. */
type Reader<T> = (text: string | null) => T;
type Schema = Record<string, Reader<string | number | null>>;
type StateOf<S extends Schema> = { [Name in keyof S]: ReturnType<S[Name]> };

/**
 * State that is kept in the address, so that it survives a reload and can be sent as a link. `show`
 * changes some parameters and keeps the others. A search starts at the first page and replaces the
 * history entry, everything else adds one.
 */
export function useSearchState<S extends Schema>(schema: S) {
  const [params, setParams] = useSearchParams();
  const show = useCallback(
    (changes: Partial<StateOf<S>>, options?: NavigateOptions) =>
      // What was rendered last can be older than the address, as just after Back.
      setParams(writeState(schema, new URLSearchParams(location.search), changes), {
        replace: 'search' in changes,
        ...options,
      }),
    [schema, setParams],
  );
  return [readState(schema, params), show] as const;
}

export function readState<S extends Schema>(schema: S, params: URLSearchParams): StateOf<S> {
  const entries = Object.entries(schema).map(([name, read]) => [name, read(params.get(name))]);
  return Object.fromEntries(entries);
}

/** Defaults are not written. */
export function writeState<S extends Schema>(
  schema: S,
  before: URLSearchParams,
  changes: Partial<StateOf<S>>,
): URLSearchParams {
  const params = new URLSearchParams(before);
  if ('search' in changes) params.delete('start');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === schema[name]?.(null))
      params.delete(name);
    else params.set(name, String(value));
  }
  return params;
}

export const searchText: Reader<string> = (text) => (text ?? '').slice(0, 200);

/** The first entry of a page of a list. */
export const pageStart: Reader<number> = (text) => {
  const start = parseWholeNumber(text ?? '');
  return start <= 10_000_000 ? start : 0;
};

export const identifier: Reader<string | null> = (text) =>
  text !== null && /^[\x21-\x7e]{1,200}$/.test(text) ? text : null;

export function oneOf<const T extends string, F extends string | null>(
  values: readonly T[],
  fallback: F,
): Reader<T | F> {
  return (text) => values.find((value) => value === text) ?? fallback;
}

/** A list that can be searched and paged. */
export const listState = { search: searchText, start: pageStart };

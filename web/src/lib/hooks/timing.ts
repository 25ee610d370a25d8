import { useEffect, useRef, useState } from 'react';

/** The value once it has stayed the same for a while, so that passing values are not fetched. */
export function useDebouncedValue<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/**
 * The latest value, updated at most once in the given time: for text that is read aloud, and for
 * sampling. A value that belongs to another `phase`, such as the end of what is followed, is taken
 * at once.
 */
export function useThrottledValue<T>(value: T, milliseconds: number, phase?: string): T {
  const latest = useRef(value);
  const [taken, setTaken] = useState({ value, phase });
  if (taken.phase !== phase) setTaken({ value, phase });
  useEffect(() => {
    latest.current = value;
  }, [value]);
  useEffect(() => {
    const timer = setInterval(
      () => setTaken(({ phase }) => ({ value: latest.current, phase })),
      milliseconds,
    );
    return () => clearInterval(timer);
  }, [milliseconds]);
  return taken.value;
}

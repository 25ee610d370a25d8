import { useEffect, useRef, useState } from 'react';

/** The value once it has stayed the same for a while, so that values passed on the way are not fetched. */
export function useDebouncedValue<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** The latest value, updated at most once in the given time: for text that is read aloud, and for sampling. */
export function useThrottledValue<T>(value: T, milliseconds: number): T {
  const latest = useRef(value);
  const [taken, setTaken] = useState(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  useEffect(() => {
    const timer = setInterval(() => setTaken(latest.current), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
  return taken;
}

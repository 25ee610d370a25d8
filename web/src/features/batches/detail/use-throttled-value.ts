import { useEffect, useRef, useState } from 'react';

/** The latest value, taken over at most once in the given time. For what is read aloud, and for what is sampled. */
export function useNowAndThen<T>(value: T, milliseconds: number): T {
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

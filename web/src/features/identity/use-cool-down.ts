import { useEffect, useState } from 'react';
import { secondsUntil } from './countdown.ts';

const tickMilliseconds = 250;

/** A pause measured by the clock, so that a sleeping tab does not extend it. */
export function useCooldown(lengthSeconds: number) {
  const [end, setEnd] = useState(0);
  const [secondsLeft, setSecondsLeft] = useState(0);
  useEffect(() => {
    if (end === 0) return;
    const timer = setInterval(() => {
      const left = secondsUntil(end, Date.now());
      setSecondsLeft(left);
      if (left === 0) setEnd(0);
    }, tickMilliseconds);
    return () => clearInterval(timer);
  }, [end]);
  function begin() {
    setEnd(Date.now() + lengthSeconds * 1000);
    setSecondsLeft(lengthSeconds);
  }
  function cancel() {
    setEnd(0);
    setSecondsLeft(0);
  }
  return { secondsLeft, begin, cancel };
}

import { useEffect, useRef, useState } from 'react';
import { type Sample, sampleMilliseconds, withSample } from './rate-samples.ts';

/** How many rows were done at which time, taken while somebody watches a running batch. */
export function useRateSamples(done: number, isRunning: boolean): readonly Sample[] {
  const latest = useRef(done);
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    latest.current = done;
  }, [done]);
  useEffect(() => {
    if (!isRunning) return;
    const take = () =>
      setSamples((before) => withSample(before, { at: Date.now(), done: latest.current }));
    take();
    const timer = setInterval(take, sampleMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning]);
  return samples;
}

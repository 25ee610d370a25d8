import type { FaultPoint, FaultPointConfig } from '../config/fault-point.ts';

export type PassFaultPoint = (point: FaultPoint, prompt?: string) => void;

/** Kills the process with SIGKILL at the configured point, so that nothing can be finished, stored or logged. */
export function openFaultPoint(wanted: FaultPointConfig | null): {
  passFaultPoint?: PassFaultPoint;
} {
  if (!wanted) return {};
  let passed = 0;
  const isDue = (point: FaultPoint, prompt: string) => {
    if ('poison' in wanted) return point === 'before-call' && prompt.includes(wanted.poison);
    return point === wanted.point && ++passed === wanted.times;
  };
  return {
    passFaultPoint(point, prompt = '') {
      if (isDue(point, prompt)) process.kill(process.pid, 'SIGKILL');
    },
  };
}

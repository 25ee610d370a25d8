import type { FaultPoint, FaultPointConfig } from '../config/fault-point.ts';

export type PassFaultPoint = (point: FaultPoint, prompt?: string) => void;

/** Dies as by `kill -9` where the configuration says so: nothing is ended, stored or said any more. */
export function openFaultPoint(wanted: FaultPointConfig | null): {
  passFaultPoint?: PassFaultPoint;
} {
  if (!wanted) return {};
  let times = 0;
  const isDue = (point: FaultPoint, prompt: string) => {
    if ('poison' in wanted) return point === 'before-call' && prompt.includes(wanted.poison);
    return point === wanted.point && ++times === wanted.times;
  };
  return {
    passFaultPoint(point, prompt = '') {
      if (isDue(point, prompt)) process.kill(process.pid, 'SIGKILL');
    },
  };
}

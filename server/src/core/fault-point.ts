import type { FaultPoint, FaultPointConfig } from '../config/fault-point.ts';

export type PassFaultPoint = (point: FaultPoint, text?: string) => void;

/** Kills the process with SIGKILL at the configured point, so that it finishes nothing. */
export function openFaultPoint(wanted: FaultPointConfig | null): {
  passFaultPoint?: PassFaultPoint;
} {
  if (!wanted) return {};
  let passed = 0;
  const isDue = (point: FaultPoint, text: string) => {
    if (point !== wanted.point) return false;
    return 'poison' in wanted ? text.includes(wanted.poison) : ++passed === wanted.times;
  };
  return {
    passFaultPoint(point, text = '') {
      if (isDue(point, text)) process.kill(process.pid, 'SIGKILL');
    },
  };
}

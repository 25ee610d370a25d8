import { readFileSync } from 'node:fs';

/**
 * Loaded into a process before the product, and into each of its threads: moves its wall clock by
 * the milliseconds in a file, as a correction of the machine's clock would. The embedded database
 * asks the same clock.
 */
const file = process.env.STEPPED_CLOCK_FILE ?? '';
const everyMilliseconds = 20;
const realNow = Date.now;
let offset = 0;
let readAt = Number.NEGATIVE_INFINITY;

Date.now = () => {
  if (performance.now() - readAt > everyMilliseconds) {
    readAt = performance.now();
    offset = Number(readFileSync(file, 'utf8'));
  }
  return realNow() + offset;
};

globalThis.Date = new Proxy(Date, {
  construct: (real, values, target) =>
    Reflect.construct(real, values.length === 0 ? [Date.now()] : values, target) as Date,
});

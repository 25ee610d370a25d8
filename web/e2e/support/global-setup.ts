import { makeDemoData } from '../../../server/harness/processes.ts';

/** Makes the demo once per run: a first start costs 9 s of CPU, one on a copy 3 s. */
export default async function makeDemo(): Promise<void> {
  process.env.ROWMILL_DEMO_DATA = await makeDemoData();
}

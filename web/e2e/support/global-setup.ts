import { shareDemoData } from '../../../server/harness/processes.ts';

export default async function makeDemo(): Promise<void> {
  await shareDemoData({ submissions: 0 });
}

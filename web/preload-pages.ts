import { readFileSync, writeFileSync } from 'node:fs';
import type { Rolldown } from 'vite';

/** The pages that people open from outside, with the parts of the app that they show. */
const entrances = {
  '/': ['login-page'],
  '/auth': ['login-page'],
  '/auth/login': ['login-page'],
  '/auth/plans': ['with-queries', 'plans-page'],
  '/auth/help': ['help-page'],
};
const area = ['authorised-layout'];
const areaPages = {
  '/': [...area, 'dashboard-page'],
  '/dashboard': [...area, 'dashboard-page'],
  '/ask': [...area, 'ask-page'],
  '/history': [...area, 'history-page'],
  '/history/:id': [...area, 'batch-page'],
  '/credits': [...area, 'credits-page'],
};

/**
 * Lists in `early.js` the files that these pages need beyond the app, so that browsers fetch them
 * together with it. The app would name them two round trips later, which is half a second on a
 * phone.
 */
export function listPageFiles(output: Rolldown.RolldownOutput['output'], earlyScript: string) {
  const chunks = output.filter((file) => file.type === 'chunk');
  const ofApp = filesOf(chunks, ['main']);
  const listed = (pages: Record<string, string[]>) =>
    Object.fromEntries(
      Object.entries(pages).map(([path, parts]) => [
        path,
        [...filesOf(chunks, parts).difference(ofApp)],
      ]),
    );
  const lists = { signedIn: listed(areaPages), signedOut: listed(entrances) };
  const script = readFileSync(earlyScript, 'utf8');
  writeFileSync(earlyScript, script.replace(/(?<=pageFiles = ).*(?=;)/, JSON.stringify(lists)));
}

/** Scripts of the named parts and of all that they import. */
function filesOf(chunks: readonly Rolldown.OutputChunk[], names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (!chunk || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  for (const name of names) {
    const chunk = chunks.find((chunk) => chunk.name === name);
    if (!chunk) throw new Error(`There is no part "${name}" to preload.`);
    add(chunk);
  }
  return files;
}

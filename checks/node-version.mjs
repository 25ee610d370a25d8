import { readFileSync } from 'node:fs';

/** Runs before `npm start` and `npm test`, also on a Node that cannot read the rest of the code. */
const file = new URL('../package.json', import.meta.url);
const range = JSON.parse(readFileSync(file, 'utf8')).engines.node;
const [needed, running] = [range, process.version].map((text) =>
  text.replace(/^\D+/, '').split('.').map(Number),
);
const isOld = running[0] < needed[0] || (running[0] === needed[0] && running[1] < (needed[1] ?? 0));
if (isOld) {
  process.stderr.write(
    `Rowmill needs Node ${needed.join('.')} or later, and this is ${process.version}: run "npm ci" without --ignore-scripts, which installs one in this folder.\n`,
  );
  process.exit(2);
}

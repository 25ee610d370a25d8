/**
 * A part of the tree: the pattern of its paths, and what it may import of ours besides itself. The
 * first that fits counts.
 */
interface Part {
  name: string;
  at: RegExp;
  /** Names of parts. `$1` is the domain or feature that the path names. */
  may: readonly string[];
}

const part = (name: string, at: RegExp, ...may: string[]): Part => ({ name, at, may });

const foundation = ['contract', 'lib', 'texts', 'core', 'db', 'job'];
const domain = (name: string, ...others: string[]) =>
  part(
    `domain ${name}`,
    new RegExp(`^server/src/domains/${name}/`),
    ...foundation,
    'port',
    ...others.map((other) => `domain ${other}`),
  );

const lowest = ['files', 'notifications', 'audit', 'requests'];
const belowBatches = [...lowest, 'identity', 'credits', 'plans'];
const belowApp = ['web features', 'web entities', 'web ui', 'web lib', 'web texts'];
const belowFeatures = ['contract', 'web entities', 'web ui', 'web lib', 'web texts'];
const people = ['domain identity', 'domain plans'];

/** Who may import whom. */
const parts: readonly Part[] = [
  part('contract', /^contract\//),
  part('server tests', /^server\/tests\//, 'contract', 'server', 'fakes', 'harness'),
  part('harness', /^server\/harness\//, 'contract', 'server', 'fakes'),
  part('any test', /\.test\.tsx?$|^web\/e2e\//, '*'),

  part(
    'main',
    /^server\/src\/(main\.ts$|cli\/)/,
    ...['app', 'contract', 'config', 'core', 'db', 'lib', 'port', ...people],
  ),
  part(
    'app',
    /^server\/src\/((app|routes|job-kinds|open-\w+)\.ts$|demo\/)/,
    ...['server', 'contract', 'fakes'],
  ),
  part(
    'core',
    /^server\/src\/core\//,
    ...['contract', 'lib', 'texts', 'config', 'db', 'job', 'port'],
  ),
  part('config', /^server\/src\/config\//, 'contract', 'lib'),
  part('lib', /^server\/src\/lib\//, 'texts'),
  part('texts', /^server\/src\/texts\//, 'contract', 'lib'),
  part('db', /^server\/src\/db\//, 'contract', 'config', 'lib'),
  part('job', /^server\/src\/jobs\/(job|define-job)\.ts$/, 'core', 'db'),
  part('jobs', /^server\/src\/jobs\//, 'job', 'core', 'db', 'lib'),
  part('adapters', /^server\/src\/adapters\//, 'port', 'lib', 'texts', 'core', 'contract'),
  part(
    'http',
    /^server\/src\/http\//,
    ...[...foundation, 'config', 'port', 'domain identity', 'domain requests'],
  ),
  part('port', /^server\/src\/(domains\/[^/]+|engine)\/port\.ts$/, 'lib', 'contract'),
  part(
    'engine',
    /^server\/src\/engine\//,
    ...[
      ...foundation,
      'port',
      'domain batches',
      'domain prompts',
      'domain credits',
      'domain files',
    ],
  ),

  domain('notifications'),
  domain('audit'),
  domain('requests'),
  domain('files', 'audit', 'requests'),
  domain('identity', ...lowest),
  domain('credits', ...lowest, 'identity'),
  domain('plans', ...lowest, 'identity', 'credits'),
  domain('billing', ...belowBatches),
  domain('prompts', ...belowBatches),
  domain('batches', ...belowBatches, 'prompts'),
  domain('clients', 'audit', 'requests', 'identity', 'credits', 'plans', 'billing'),
  domain('catalogue', 'audit'),
  domain('providers', 'audit', 'requests', 'batches'),
  domain('operators', 'audit', 'identity', 'credits'),
  domain('account', ...belowBatches, 'billing', 'prompts', 'batches'),

  part('web main', /^web\/src\/[^/]+\.tsx?$/, 'web app', ...belowApp),
  part('web app', /^web\/src\/app\//, 'contract', ...belowApp),
  part('web feature $1', /^web\/src\/features\/([^/]+)\//, ...belowFeatures),
  part('web entities', /^web\/src\/entities\//, 'contract', 'web ui', 'web lib', 'web texts'),
  part('web ui', /^web\/src\/ui\//, 'contract', 'web lib', 'web texts'),
  part('web lib', /^web\/src\/(lib|pwa)\//, 'contract', 'web texts'),
  part('web texts', /^web\/src\/texts\//),
  part('web scripts', /^web\//, 'any test', 'contract', 'harness'),

  part('fakes', /^fakes\//, 'contract'),
  part('bench', /^bench\//, 'contract', 'server', 'fakes', 'harness'),
  part('checks', /^checks\//, ...['contract', 'app', 'config', 'db', 'lib', 'domain requests']),
];

export function partOf(path: string): Part | undefined {
  for (const part of parts) {
    const found = part.at.exec(path);
    if (found) return { ...part, name: part.name.replace('$1', found[1] ?? '') };
  }
  return undefined;
}

/** `server` and `web features` name all parts of a kind; `*` names every part. */
export function isAllowed(from: Part, to: { name: string; path: string }): boolean {
  if (from.name === to.name) return true;
  return from.may.some(
    (may) =>
      may === '*' ||
      may === to.name ||
      (may === 'server' && to.path.startsWith('server/src/')) ||
      (may === 'web features' && to.name.startsWith('web feature ')),
  );
}

import type { Environment } from './env.ts';
import type { Problems } from './problems.ts';

/** An S3-compatible store. The default is Amazon's, with the machine's own credentials. */
export function bucketConfig(env: Environment, problems: Problems) {
  const hasKey = problems.together(env, ['FILES_ACCESS_KEY_ID', 'FILES_SECRET_ACCESS_KEY']);
  if (!env.FILES_BUCKET) {
    for (const name of ['FILES_ENDPOINT', 'FILES_ACCESS_KEY_ID'] as const)
      if (env[name]) problems.add(`${name} is set, but FILES_BUCKET is not.`);
    return null;
  }
  return {
    bucket: env.FILES_BUCKET,
    endpoint: env.FILES_ENDPOINT
      ? problems.safeAddress('FILES_ENDPOINT', env.FILES_ENDPOINT, { allowsPrivateName: true })
      : null,
    region: env.FILES_REGION,
    key: hasKey && { id: env.FILES_ACCESS_KEY_ID, secret: env.FILES_SECRET_ACCESS_KEY },
  };
}

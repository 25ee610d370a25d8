import type { BrowserContext } from 'playwright-core';

/** Whatever a page of this context asks for and its security policy refuses, with what asked for it. From the first page on. */
export async function watchPolicy(context: BrowserContext): Promise<readonly string[]> {
  const violations: string[] = [];
  await context.exposeFunction('tellViolation', (words: string) => violations.push(words));
  await context.addInitScript(() => {
    const { tellViolation } = window as unknown as { tellViolation: (words: string) => void };
    addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI } = event as SecurityPolicyViolationEvent;
      tellViolation(`${location.pathname}: ${violatedDirective} ${blockedURI}`);
    });
  });
  context.on(
    'console',
    (message) =>
      message.text().includes('Content Security Policy') && violations.push(message.text()),
  );
  return violations;
}

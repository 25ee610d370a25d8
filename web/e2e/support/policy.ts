import type { BrowserContext } from '@playwright/test';

/** Collects what the security policy refuses. Call it before the first page opens. */
export async function watchPolicy(context: BrowserContext): Promise<readonly string[]> {
  const violations: string[] = [];
  await context.exposeFunction('reportViolation', (text: string) => violations.push(text));
  await context.addInitScript(() => {
    const { reportViolation } = window as unknown as { reportViolation: (text: string) => void };
    addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI } = event as SecurityPolicyViolationEvent;
      reportViolation(`${location.pathname}: ${violatedDirective} ${blockedURI}`);
    });
  });
  return violations;
}

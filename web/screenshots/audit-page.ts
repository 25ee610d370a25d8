import type { Page } from '@playwright/test';
import { findViolations } from '../e2e/support/axe.ts';

/** The smallest side of a touch target. */
const targetPixels = 44;

/** What a picture does not show: axe violations, sideways scrolling, small touch targets. */
export async function auditPage(
  page: Page,
  { kind, isFull }: { kind: string; isFull: boolean },
): Promise<string[]> {
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  const small = kind === 'phone' ? await page.evaluate(smallTargets, targetPixels) : [];
  return [
    ...(isFull ? await findViolations(page) : []),
    ...(isWide ? ['wider than the screen'] : []),
    ...small.map((target) => `small touch target: ${target}`),
  ];
}

/**
 * Links inside a text are exempt, and so is what is only read out. Radio buttons and checkboxes are
 * pressed by their label.
 */
function smallTargets(pixels: number): string[] {
  const layer = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  return [
    ...layer.querySelectorAll(
      'button, select, textarea, summary, a, input:not([type=radio], [type=checkbox], [type=file])',
    ),
  ]
    .filter((target) => target.checkVisibility({ visibilityProperty: true }))
    .filter((target) => !isInText(target) && !target.closest('.sr-only'))
    .filter((target) => {
      const { width, height } = areaOf(target);
      return width > 1 && (width < pixels - 0.5 || height < pixels - 0.5);
    })
    .map((target) => {
      const { width, height } = target.getBoundingClientRect();
      return `${Math.round(width)} x ${Math.round(height)} ${target.outerHTML.slice(0, 120)}`;
    });

  /** A target may reach beyond its look with an invisible part. */
  function areaOf(target: Element): { width: number; height: number } {
    const { width, height } = target.getBoundingClientRect();
    const reach = getComputedStyle(target, '::after');
    if (reach.position !== 'absolute') return { width, height };
    return {
      width: Math.max(width, Number.parseFloat(reach.width) || 0),
      height: Math.max(height, Number.parseFloat(reach.height) || 0),
    };
  }

  function isInText(target: Element): boolean {
    return (
      target.tagName === 'A' &&
      getComputedStyle(target).display === 'inline' &&
      target.parentElement?.textContent !== target.textContent
    );
  }
}

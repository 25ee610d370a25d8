import * as texts from '../texts/ui.ts';

export function Logo() {
  return (
    <>
      <img src="/favicon.svg" alt="" width="32" height="32" />
      {texts.product}
    </>
  );
}

import * as texts from '../../texts/ui.ts';
import { Button } from '../button.tsx';

/** The end of a form in a dialog. */
export function FormButtons({ onCancel }: { onCancel: () => void }) {
  return (
    <div className="row">
      <Button type="submit">{texts.save}</Button>
      <Button variant="secondary" onClick={onCancel}>
        {texts.cancel}
      </Button>
    </div>
  );
}

import { type CataloguePack, savePack } from '@rowmill/contract';
import { hundredthsIn, wholeNumberIn } from '../../lib/typed-numbers.ts';
import * as texts from '../../texts/operator/catalogue.ts';
import { NumberField } from '../../ui/form/text-field.tsx';
import { EditDialog, useEdit } from './edit-dialog.tsx';
import { NameField, PriceField, SaleFields } from './item-fields.tsx';

interface Props {
  /** None for a new one. */
  pack: CataloguePack | null;
  currency: string;
  nextPosition: number;
  onShowCurrent: () => void;
  onClose: () => void;
}

export function PackDialog({ pack, currency, nextPosition, onShowCurrent, onClose }: Props) {
  const form = useEdit({
    endpoint: savePack,
    toRequest: ({ name = '', count = '', rate_minor = '', position = '', is_sold }) => ({
      ...(pack ? { id: pack.id, version: pack.version } : {}),
      name,
      count: wholeNumberIn(count),
      rate_minor: hundredthsIn(rate_minor),
      position: wholeNumberIn(position),
      is_sold: is_sold === 'yes',
    }),
    onSaved: onClose,
  });
  return (
    <EditDialog
      title={pack ? texts.editItem(pack.name) : texts.newPack}
      note={texts.packNote}
      form={form}
      onShowCurrent={onShowCurrent}
      onClose={onClose}
    >
      <NameField name={pack?.name} />
      <div className="grid-fields">
        <NumberField label={texts.submissions} name="count" defaultValue={pack?.count} />
        <PriceField name="rate_minor" currency={currency} minor={pack?.rate_minor} />
        <SaleFields item={pack ?? { position: nextPosition, is_sold: true }} />
      </div>
    </EditDialog>
  );
}

import type { CataloguePack } from '@rowmill/contract';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import * as texts from '../../texts/catalogue.ts';
import { CatalogueSection } from './catalogue-section.tsx';
import { CatalogueTable } from './catalogue-table.tsx';

interface Props {
  packs: readonly CataloguePack[];
  onEdit: (id: string | null) => void;
}

const comparedRows = 100;
const titles = [texts.price, texts.submissions, texts.rowsCost(comparedRows)];

export function PacksSection({ packs, onEdit }: Props) {
  const isNothingSold = packs.every(({ is_sold }) => !is_sold);
  return (
    <CatalogueSection title={texts.packs} addLabel={texts.addPack} onAdd={() => onEdit(null)}>
      {isNothingSold && <p role="status">{texts.noPackSold}</p>}
      {packs.length > 0 && (
        <CatalogueTable
          label={texts.tableOfPacks}
          titles={titles}
          rows={packs.map(rowOf)}
          onEdit={onEdit}
        />
      )}
    </CatalogueSection>
  );
}

function rowOf({ id, name, count, rate_minor, currency, is_sold }: CataloguePack) {
  return {
    id,
    name,
    marks: is_sold ? [] : [texts.withdrawn],
    cells: [
      formatMoney(rate_minor, currency),
      formatNumber(count),
      formatMoney(Math.round((rate_minor * comparedRows) / count), currency),
    ],
  };
}

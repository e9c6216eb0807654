import type { ReactNode } from 'react';
import type { CompanyContent } from '../../content/schema.ts';
import s from './facts.module.css';

/** The profile as a table; on a phone each fact stands under its name. Browsers keep it a table for screen readers there too. */
export function Facts({ facts, labelledBy }: { facts: CompanyContent['profile']['facts']; labelledBy: string }): ReactNode {
  return (
    <table className={s.facts} aria-labelledby={labelledBy}>
      <tbody>
        {facts.map(({ name, value }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{typeof value === 'string' ? value : <Lines lines={value} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: to Safari a list without markers is none
    <ul role="list">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

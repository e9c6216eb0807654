import type { ReactNode } from 'react';
import { type FieldName, fieldLabels } from './fields.ts';
import s from './form.module.css';

interface Control {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldProps {
  name: FieldName;
  /** Default: the field's short label. */
  label?: ReactNode;
  help?: string;
  optional?: boolean;
  error: string | undefined;
  /** Draws the control with the attributes that tie it to label, help and error. */
  children: (control: Control) => ReactNode;
}

/** One field: label above, help before the control, error below; a check box stands before its label. */
export function Field({ name, label, help, optional, error, children }: FieldProps) {
  const ids = [help && `${name}-help`, error && `${name}-error`].filter(Boolean).join(' ');
  const control = children({ id: name, name, 'aria-describedby': ids || undefined, 'aria-invalid': error ? true : undefined });
  const isCheck = name === 'consent';
  return (
    <div className={isCheck ? s.check : undefined}>
      {isCheck && control}
      <label htmlFor={name}>
        {label ?? fieldLabels[name]}
        {optional && <span> (optional)</span>}
      </label>
      {help && (
        <p className={s.help} id={`${name}-help`}>
          {help}
        </p>
      )}
      {!isCheck && control}
      {error && (
        <p className={s.error} id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

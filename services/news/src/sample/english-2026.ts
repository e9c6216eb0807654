/** The year the mock-up shows, word for word where it shows words. Format: see `parse` in drafts.ts. */
export const english2026 = `
2026-11-18 products/new calliper-150
Vernier calliper 150 now reads to 0.02 mm
The new scale has 50 divisions on 49 mm, engraved at the same line width of 80 µm. Deliveries begin in January; the 0.05 mm version stays in the catalogue.
A vernier with fifty divisions asks more of the engraver than of the reader. Two neighbouring lines differ by 0.02 mm, a quarter of a line width, so that an edge that wanders by 5 µm can already be seen. We cut the scale in one pass, in the measuring room, and check every tenth line under the microscope.
## Reading it
Look for the line that meets a line above it, then look at its neighbours: they should miss to either side by the same amount. Held at arm’s length in good light, readings of three fitters agreed within 0.02 mm in 96 of 100 cases.
| | 0.05 mm | 0.02 mm |
| --- | --- | --- |
| Divisions on the vernier | 20 on 39 mm | 50 on 49 mm |
| Limit of error to 100 mm | 0.05 mm | 0.03 mm |
| Limit of error to 150 mm | 0.05 mm | 0.04 mm |
| Line width | 80 µm | 80 µm |
## Ordering
Order number \`150-02\`. The calliper comes in the wooden case with its own figures at six points. For quantities above ten, [write an inquiry](/inquiry).

2026-11-05 calibration/plain ring-gauges
Accreditation extended to ring gauges up to 200 mm
The laboratory in Ängsholm may now issue accredited certificates for plain ring gauges from 3 mm to 200 mm, with an uncertainty of 0.6 µm.
Until now the scope ended at 100 mm. Larger rings, used to set internal micrometers for bearing seats and hydraulic cylinders, had to be sent abroad. The assessment took place in September, over three days, on rings of 120, 160 and 200 mm that another laboratory had measured before.
## What the certificate states
- diameter in two planes, at three heights
- deviation from roundness in the middle plane
- the standard used, the temperature, the uncertainty
The smallest uncertainty (*k* = 2) depends on the diameter:
| Diameter | Diameter, U | Roundness, U |
| --- | --- | --- |
| 3–50 mm | 0.3 µm | 0.10 µm |
| 50–100 mm | 0.4 µm | 0.10 µm |
| 100–200 mm | 0.6 µm | 0.15 µm |
## Sending a ring
Clean it, oil it lightly and pack it so that nothing touches the bore. Rings need 24 hours in our room before measuring; the whole order takes eight working days. To book a date, [write an inquiry](/inquiry) and give the diameter and the number of rings.

2026-10-14 company/plain sixty-years
Sixty years of measuring
Nollvik delivered its first calliper on 14 October 1966. It came back for calibration this spring and was within tolerance.
The calliper had belonged to a shipyard, then to a school, then to nobody in particular. Its jaws are worn by 4 µm at the tip, which is what sixty years of use may cost. The scale, cut with a diamond, can still be read without a glass.
We have measured it at the same six points as in 1966 and put the two pages side by side in the entrance hall. The larger difference is 10 µm, at 150 mm.
> It was found in a drawer with a note: still good, do not lend.
The hall is open on weekdays from 8 to 16. How the company came about is told on the page [Company](/company).

2026-10-02 products/parts m2-spare-parts
Spare parts for the M2 micrometer until 2040
Spindles, ratchets and thimbles for all M2 micrometers made since 1984 remain in stock for another fourteen years.
About 210,000 of them are in use, and last year more came in for repair than in any year before. That is a good sign: someone thinks them worth a new spindle.
- Spindle with nut, lapped together: \`M2-110\`
- Ratchet, complete: \`M2-140\`
- Thimble, engraved to order: \`M2-160\`
- Carbide faces, fitted in Ängsholm or Łódź only: \`M2-180\`
Spindle and nut are a pair and are sold as one. A thimble is engraved after we know the pitch error of the spindle, so please send the instrument with the order.

2026-09-21 company/report interim-report
Interim report, January to August 2026
Net sales were SEK 412 million, 4 per cent more than in the same period last year. Exports made up 81 per cent.
Calibration grew fastest, by 9 per cent, since two further measuring rooms went into use in August. Sales of callipers were unchanged while customers waited for the new scale.
| January to August | 2025 | 2026 |
| --- | --- | --- |
| Net sales, SEK million | 396 | 412 |
| Exports, per cent | 80 | 81 |
| Employees, average | 314 | 321 |
## Outlook
The order book stands at eleven weeks, one more than a year ago. We expect net sales a little above SEK 600 million for the year.

2026-09-08 calibration/service turnaround-eight-days
Turnaround back to eight working days
Two further measuring rooms are in use since August. Instruments sent before noon on Monday leave again by Wednesday of the following week.
In spring an order took twelve days on average and fifteen at worst. The rooms alone did not solve it: four colleagues from the works have been trained since last autumn and may now sign certificates.

2026-08-26 exhibitions/fair metrology-week-lodz
Metrology week in Łódź, hall 3
We show the height gauge H6 and measure visitors’ own parts, one per person, on the hour.
Bring a part that fits in a hand and its drawing. We measure one dimension with two instruments and show where the difference comes from. The part is yours again after ten minutes, with the figures.
The stand is run by our service workshop, which is four tram stops away and open to visitors on the Thursday afternoon.

2026-07-03 products/notice d10-stem
Dial indicator D10: notice on stem finish
Stems of serial numbers 26-1180 to 26-1412 may be 2 µm over the h6 tolerance. We exchange them free of charge.
An indicator with such a stem still measures correctly. It may not go into a bore of 8 H7 without force, and force on the stem can make the plunger stick.
The cause was a grinding wheel dressed one time too few on 21 April. The stems are now gauged on every piece before assembly.

2026-06-19 company/site solar-roof
Solar roof supplies the grinding shop
The roof covers 2,300 m² and gives about a third of the electricity used in Ängsholm over the year.
On a clear day in June it gives more than the works can use, and the surplus heats the water of the municipal pool next door. In December it gives almost nothing, as expected at 58 degrees north.

2026-06-04 calibration/service certificate-one-page
New certificate format, one page instead of three
Results, uncertainty and the standards used now fit on one page, with the same figures as a data file.
We asked forty customers what they read. All of them read the error and the uncertainty; six read the page on methods. It is now available once, on request, instead of with every instrument.
The data file is plain text, one line per point, and is found by the number of the certificate.

2026-05-20 products/new height-gauge-h6
Height gauge H6 with granite base
The base is 300 by 200 mm, lapped to 2 µm. The column is guided on both sides and needs no adjustment in service.
Granite does not rust, does not burr and forgets a knock: where steel throws up an edge, granite loses a grain. It asks for one thing, a plate that is clean, because it glides so well that chips go unnoticed.
The H6 replaces the H4, of which we made 7,340 in 19 years.

2026-05-07 company/plain general-meeting
Annual general meeting approves the dividend
The meeting approved SEK 6.50 per share and re-elected the board for one year.
Of the shares, 94 per cent were represented. The meeting was held in the assembly hall among the unfinished height gauges, as every year, and took 50 minutes.
It also approved that the foundation may buy back shares of members who leave, at the price the auditor sets each March.

2026-04-22 exhibitions/fair control-days-gyor
Control Days Győr: talk on reading error
How much of the uncertainty of a vernier comes from the eye, and what line width has to do with it.
For the talk, sixty students read the same twenty settings, once in daylight and once under a lamp from the side. The spread was twice as large under the lamp. The figures are on a sheet at the stand.

2026-03-17 calibration/comparison gauge-block-comparison
Gauge block comparison: results published
Nine laboratories measured the same set of 12 blocks. All our results lay within half of the stated uncertainty.
The blocks travelled for seven months, in a case with a temperature logger. Two were scratched on the way and were left out of the evaluation.
| Nominal length | Our deviation | Reference | U (*k* = 2) |
| --- | --- | --- | --- |
| 0.5 mm | +0.02 µm | +0.03 µm | 0.05 µm |
| 25 mm | −0.04 µm | −0.05 µm | 0.06 µm |
| 100 mm | +0.11 µm | +0.08 µm | 0.10 µm |

2026-02-25 company/report year-end-report-2025
Year-end report 2025
Net sales reached SEK 588 million. The order book at the turn of the year was the longest since 2011.
Sales rose by 4 per cent. Eighty per cent went abroad, most of it to Germany, Japan and Poland. The dividend proposed to the meeting in May is SEK 6.50 per share.
| | 2024 | 2025 |
| --- | --- | --- |
| Net sales, SEK million | 566 | 588 |
| Exports, per cent | 79 | 80 |
| Employees on 31 December | 309 | 318 |

2026-02-03 products/data micrometer-data-file
Micrometers leave with a data file
Besides the printed certificate each micrometer now comes with its error curve as a text file, found by serial number.
The curve has 21 points instead of the eleven on paper. A program that knows it can correct each reading; a person will rarely need to, since the whole curve must stay within 2 µm.

2026-01-13 company/people apprentice-workshop
Apprentice workshop doubled to sixteen places
Applications for the three-year training in scale engraving and lapping are open until the end of March.
The former store above the lapping room has windows to the north and is now the workshop. Each apprentice has a bench, a surface plate and a microscope of their own from the first week.
`;

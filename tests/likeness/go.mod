module likeness

go 1.27

package f

func F() {}
